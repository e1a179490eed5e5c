import { AUDIT_MS } from '../../domain/audit.js';
import type { Feature } from '../feature.js';
import { auditDefinitions } from './commands.js';

export const auditFeature: Feature = {
  name: 'audit',
  commands: (acts) => ({ audit: auditDefinitions(acts) }),
  make({ options: { retention } }) {
    const { auditMs = AUDIT_MS } = retention ?? {};
    return {
      sweeps: [
        {
          kind: 'auditEntries',
          rows: 'audit entries',
          before: (now) => (auditMs === null ? null : now - auditMs),
          remove: (r, ...by) => r.audit.sweep(...by),
        },
      ],
    };
  },
};
