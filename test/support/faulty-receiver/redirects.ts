import { answer, answered, type Behaviour, reply, type Surroundings } from './behaviour.js';

const STATUSES = [300, 301, 302, 303, 305, 307, 308];

/** Redirect targets that must not be called. */
const LOCATIONS: Readonly<Record<string, (around: Surroundings) => string>> = {
  'another server': ({ canary }) => canary.https,
  'plain http': ({ canary }) => canary.http,
  'a path of its own': () => '/redirected',
  'another server in short': ({ canary }) => canary.https.replace('https:', ''),
  'a metadata service': () => 'http://169.254.169.254/latest/meta-data/',
  'a file': () => 'file:///etc/passwd',
};

/** Receivers that redirect. */
export const REDIRECTS: readonly Behaviour[] = [
  ...STATUSES.flatMap((status) => Object.keys(LOCATIONS).map((where) => redirect(status, where))),
  {
    name: 'accepts, with a Location and a Refresh',
    play: answer((socket, { canary }) =>
      socket.write(reply(201, '', [`location: ${canary.https}`, `refresh: 0; url=${canary.https}`])),
    ),
    ends: [answered(201)],
  },
];

function redirect(status: number, where: string): Behaviour {
  return {
    name: `redirects with ${status} to ${where}`,
    play: answer((socket, around) => {
      socket.write(reply(status, 'elsewhere', [`location: ${LOCATIONS[where]?.(around) ?? ''}`]));
    }),
    ends: [answered(status, 'elsewhere')],
  };
}
