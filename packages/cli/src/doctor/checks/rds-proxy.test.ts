import { expect, test } from 'vitest';
import type { CheckInput } from '../check.js';
import { resolveAddress } from '../database/address.js';
import { RDS_PROXY } from './server.js';

test.each([
  ['postgres://app:s3cret@hiring.proxy-c1abc2.eu-west-1.rds.amazonaws.com:5432/hiring', 'warning'],
  ['postgres://app@hiring.endpoint.proxy-c1abc2.cn-north-1.rds.amazonaws.com.cn/hiring', 'warning'],
  ['postgres://app@hiring.cluster-c1abc2.eu-west-1.rds.amazonaws.com/hiring', 'ok'],
  ['postgres://app@hiring.c1abc2.eu-west-1.rds.amazonaws.com/hiring', 'ok'],
  ['postgres://app@localhost/proxy-x.y.rds.amazonaws.com', 'ok'],
])('at %s, the check of RDS Proxy is: %s', async (database, state) => {
  const input = { address: resolveAddress(database), database: { kind: 'postgres' } } as CheckInput;
  const finding = await RDS_PROXY.run(input);
  expect(finding).toMatchObject({ state });
  if (state === 'warning') {
    expect(finding.fix).toMatch(
      /preparedStatements: false.*sessionSettings: false[\s\S]*lock_timeout[\s\S]*listenForWork/,
    );
  }
});
