/** A route of `/webhook-endpoint`, with a body that it accepts. */
export interface SelfServiceRoute {
  readonly method: 'GET' | 'PUT' | 'POST';
  readonly path: string;
  readonly body: string | undefined;
}

/** All routes of `/webhook-endpoint`. */
export const SELF_SERVICE_ROUTES: readonly SelfServiceRoute[] = [
  { method: 'GET', path: '/webhook-endpoint', body: undefined },
  { method: 'PUT', path: '/webhook-endpoint', body: '{"url":"https://ats.example/hooks"}' },
  { method: 'POST', path: '/webhook-endpoint/test', body: '{}' },
  { method: 'POST', path: '/webhook-endpoint/pause', body: '{}' },
  { method: 'POST', path: '/webhook-endpoint/resume', body: '{"retryNow":true}' },
  { method: 'POST', path: '/webhook-endpoint/rotate-secret', body: '{"overlapSeconds":60}' },
  { method: 'GET', path: '/webhook-endpoint/deliveries', body: undefined },
  { method: 'POST', path: '/webhook-endpoint/deliveries/evt_1/resend', body: '{}' },
  { method: 'POST', path: '/webhook-endpoint/resend', body: '{"since":"2026-01-01T00:00:00Z"}' },
];
