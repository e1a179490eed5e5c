import type { StandaloneCommand } from '../command/command.js';
import { readDeployment } from '../connection/connection-options.js';
import { readSealingKey } from '../connection/sealing-key.js';
import { CHECK_NAMES } from '../doctor/check-list.js';
import { doctorExitCode, doctorText } from '../doctor/report.js';
import { runDoctor } from '../doctor/run-doctor.js';

/** The command `doctor`. */
export const doctor: StandaloneCommand = {
  summary: 'Checks settings, database and schema, and changes nothing',
  options: {
    strict: { summary: 'Exit with 1 for warnings, an untested sealing key and an unchecked schema too' },
    skip: {
      value: 'CHECK',
      choices: CHECK_NAMES,
      isRepeatable: true,
      summary: 'Leave out this check, such as schema. May be given several times',
    },
    'without-prepared-statements': { summary: 'The server has `preparedStatements: false`' },
    'proxy-resolves': { summary: "The server has `proxy: { resolve: 'proxy' }`" },
  },
  runAlone: async (input, context) => {
    const sealing = readSealingKey(context.globals, context.env);
    const report = await runDoctor({
      database: context.database(),
      secretKey: sealing?.key,
      deployment: readDeployment(context.env),
      skip: input.option('skip')?.split(' '),
      preparedStatements: !input.isSet('without-prepared-statements'),
      proxyResolves: input.isSet('proxy-resolves'),
    });
    return {
      text: doctorText(report),
      value: report,
      isBadNews: doctorExitCode(report, { strict: input.isSet('strict') }) === 1,
    };
  },
};
