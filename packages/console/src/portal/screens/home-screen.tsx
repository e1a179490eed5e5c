import { MaybeLink, Section } from '../../view/parts.js';
import type { PortalScreen } from '../portal-call.js';

/** The first page: the keys of the partner. */
export const portalHomeScreen: PortalScreen = {
  name: 'home',
  label: 'Home',
  path: '/',
  rights: [],
  pages: {
    '/': async ({ own, link }) => {
      const { name } = await own.partner();
      const keys = await own.keys();
      const body = (
        <Section title="Your keys">
          {keys.length === 0 ? <p>You have no key yet.</p> : null}
          <ul>
            {keys.map(({ id, environment }) => (
              <li>
                <MaybeLink href={link('keys', `/${id}`)}>{environment}</MaybeLink>
              </li>
            ))}
          </ul>
        </Section>
      );
      return { kind: 'page', title: name, body };
    },
  },
};
