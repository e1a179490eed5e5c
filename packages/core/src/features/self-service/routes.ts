import type { RequestRoute } from '../../domain/answered-request.js';
import { hideQuery } from '../../domain/endpoint.js';
import type { FieldError } from '../../domain/field-error.js';
import { isIdOf } from '../../domain/ids.js';
import type { Optional } from '../../domain/optional.js';
import { toIso } from '../../domain/time.js';
import { validationError } from '../../errors.js';
import type { BodyLimits } from '../../http/message.js';
import { type Call, type Ended, type Outcome, type Route, refused } from '../../http/route.js';
import { type ApiPath, apiPath, type Method, type PathParts } from '../../http/router.js';
import { readSmallBody, type SmallBody } from '../../http/small-body.js';
import { decodeSegment } from '../../http/target.js';
import { readDeliveryQuery, readOverlap, readRetryNow, readSince, readUrl } from './input.js';
import { wireErrorOf } from './refusals.js';
import type { EndpointRight, EndpointRights } from './rules.js';
import type { EndpointSelfService, Own, OwnEndpoint } from './service.js';
import { toWireDeliveryPage, toWireTest, wireEndpointOf } from './wire.js';

/** The service of a partner’s own endpoint, with the rights that the host has turned on. */
export interface ServedEndpoints {
  readonly rights: Optional<EndpointRights>;
  readonly service: EndpointSelfService;
}

/** The routes of `/webhook-endpoint`. Each counts in one bucket, before its body is read. */
function createOwnRoutes({ rights, service: own }: ServedEndpoints, bodyLimits: BodyLimits) {
  const toWireEndpoint = (endpoint: OwnEndpoint) =>
    wireEndpointOf(rights.url === true ? endpoint : hideQuery(endpoint));
  return {
    show: reading(async (call) => answer(call, await own.find(call.key), toWireEndpoint)),
    setUrl: writing(['url'], async (call, fields) => {
      const url = readUrl(fields);
      if ('error' in url) return invalid(call, url.error);
      const changed = await own.setUrl(call.key, url.value);
      const isNew = changed.kind === 'done' && changed.result.signingSecret !== null;
      const toWire = ({ endpoint, signingSecret }: ResultOf<typeof changed>) =>
        signingSecret === null ? toWireEndpoint(endpoint) : { ...toWireEndpoint(endpoint), signingSecret };
      return answer(call, changed, toWire, isNew ? 201 : 200);
    }),
    test: writing([], async (call) => answer(call, await own.test(call.key), toWireTest)),
    pause: writing([], async (call) => answer(call, await own.pause(call.key), toWireEndpoint)),
    resume: writing(['retryNow'], async (call, fields) => {
      const retryNow = readRetryNow(fields);
      if ('error' in retryNow) return invalid(call, retryNow.error);
      return answer(call, await own.resume(call.key, { retryNow: retryNow.value }), toWireEndpoint);
    }),
    rotateSecret: writing(['overlapSeconds'], async (call, fields) => {
      const overlap = readOverlap(fields);
      if ('error' in overlap) return invalid(call, overlap.error);
      const rotated = await own.rotateSecret(call.key, { overlapMs: overlap.value });
      return answer(call, rotated, ({ signingSecret, oldSecretsExpireAt }) => ({
        signingSecret,
        oldSecretsExpireAt: toIso(oldSecretsExpireAt),
      }));
    }),
    deliveries: reading(async (call) => {
      const query = readDeliveryQuery(call.query);
      if ('errors' in query) return refused(validationError(query.errors), call.rate);
      return answer(call, await own.listDeliveries(call.key, query.value), toWireDeliveryPage);
    }),
    resend: writing([], async (call) => {
      const id = decodeSegment(call.pathParameter);
      const resent: Own<unknown> =
        id !== null && isIdOf('event', id)
          ? await own.resend(call.key, id)
          : { kind: 'refused', refusal: { kind: 'no_event' } };
      return answer(call, resent, (result) => result);
    }),
    resendSince: writing(['since'], async (call, fields) => {
      const since = readSince(fields);
      if ('error' in since) return invalid(call, since.error);
      const started = await own.resendSince(call.key, since.value);
      return answer(call, started, (result) => ({ since: toIso(result.since), state: 'running' }), 202);
    }),
  };

  /** `names` are those of the fields that the body may have. */
  function writing(names: readonly string[], run: Writing): Route {
    const known = new Map(names.map((name) => [name, null]));
    return reading(async (call) => {
      const body = await readSmallBody(call.request, bodyLimits, known);
      return body.kind === 'refused' ? refused(body.error, call.rate) : run(call, body.fields);
    });
  }
}

type Fields = Extract<SmallBody, { kind: 'fields' }>['fields'];

type Writing = (call: Call, fields: Fields) => Promise<Outcome | Ended>;

type ResultOf<Answer> = Answer extends { readonly kind: 'done'; readonly result: infer Result }
  ? Result
  : never;

function reading(run: (call: Call) => Promise<Outcome | Ended>): Route {
  return { bucket: 'webhook_endpoint', run };
}

function answer<Result>(
  { rate }: Call,
  own: Own<Result>,
  toWire: (result: Result) => unknown,
  status = 200,
): Outcome | Ended {
  if (own.kind === 'refused') {
    const { refusal } = own;
    return refusal.kind === 'key_ended' ? { kind: 'ended' } : refused(wireErrorOf(refusal), rate);
  }
  return { kind: 'answered', status, body: JSON.stringify(toWire(own.result)), rate };
}

function invalid({ rate }: Call, error: FieldError): Outcome {
  return refused(validationError([error]), rate);
}

/** Returns the paths of which at least one method is turned on. */
export function ownPaths(own: ServedEndpoints, { basePath, bodyLimits }: PathParts): readonly ApiPath[] {
  const { rights } = own;
  const routes = createOwnRoutes(own, bodyLimits);
  const path = (route: RequestRoute, methods: Partial<Record<Method, readonly [EndpointRight, Route]>>) => {
    const on: Partial<Record<Method, Route>> = {};
    const off: Method[] = [];
    for (const [method, [right, run]] of Object.entries(methods) as [Method, [EndpointRight, Route]][]) {
      if (rights[right] === true) on[method] = run;
      else off.push(method);
    }
    return Object.keys(on).length === 0 ? [] : [apiPath(basePath, route, on, off)];
  };
  return [
    path('/webhook-endpoint', { GET: ['endpoint', routes.show], PUT: ['url', routes.setUrl] }),
    path('/webhook-endpoint/test', { POST: ['test', routes.test] }),
    path('/webhook-endpoint/pause', { POST: ['pause', routes.pause] }),
    path('/webhook-endpoint/resume', { POST: ['resume', routes.resume] }),
    path('/webhook-endpoint/rotate-secret', { POST: ['rotateSecret', routes.rotateSecret] }),
    path('/webhook-endpoint/deliveries', { GET: ['deliveries', routes.deliveries] }),
    path('/webhook-endpoint/deliveries/{eventId}/resend', { POST: ['resend', routes.resend] }),
    path('/webhook-endpoint/resend', { POST: ['resendSince', routes.resendSince] }),
  ].flat();
}
