import type { StandaloneCommand } from '../../command/command.js';
import { readDeployment } from '../../connection/connection-options.js';
import { readSealingKey } from '../../connection/sealing-key.js';
import { doctorExitCode, doctorText } from '../../doctor/report.js';
import { runDoctor } from '../../doctor/run-doctor.js';

const SKIPPED = ['schema'] as const;

/** The command `doctor`. */
export const doctor: StandaloneCommand = {
  summary: 'Checks settings, database and schema, and changes nothing',
  options: {
    strict: { summary: 'Exit with 1 for warnings, an untested sealing key and an unchecked schema too' },
    skip: { choices: SKIPPED, summary: 'Do not compare the schema with that of the migrations' },
    'proxy-resolves': { summary: "The server has `proxy: { resolve: 'proxy' }`" },
  },
  runAlone: async (input, context) => {
    const sealing = readSealingKey(context.globals, context.env);
    const report = await runDoctor({
      database: context.database(),
      secretKey: sealing?.key,
      deployment: readDeployment(context.env),
      skip: input.optionChoice('skip', SKIPPED),
      proxyResolves: input.isSet('proxy-resolves'),
    });
    return {
      text: doctorText(report),
      value: report,
      isBadNews: doctorExitCode(report, { strict: input.isSet('strict') }) === 1,
    };
  },
};
