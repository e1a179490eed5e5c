import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { filesInGit, ROOT } from './sources.js';

const DECLARED = /^\s*(?:export )?(?:type|interface|class) (Own(?![a-z])\w*)(?=[< ]|$)/gm;

function ownTypesIn(text: string): readonly string[] {
  return [...text.matchAll(DECLARED)].flatMap(([, name]) => name ?? []);
}

// Only of the partner who asks. What code has for itself gets another word.
test('at most eight types say own', () => {
  const files = filesInGit('packages', 'examples', 'test').filter((file) => /\.tsx?$/.test(file));
  expect(files.length).toBeGreaterThan(1_000);
  const found = files.flatMap((file) => ownTypesIn(readFileSync(join(ROOT, file), 'utf8')));
  expect(found).toContain('OwnEndpoint');
  expect(found.length, found.join(', ')).toBeLessThanOrEqual(8);
});

test.each([
  ['export interface OwnThing {', ['OwnThing']],
  ['export type Own<Result> =', ['Own']],
  ['class OwnController {', ['OwnController']],
  ['import {\n  type OwnThing,\n} from', []],
  ['interface Owner {', []],
])('the count of own types takes %s', (text, found) => {
  expect(ownTypesIn(text)).toEqual(found);
});

/** What core says of an endpoint or a delivery: a new shape has to be signed here, or becomes part of one of these. */
const SHAPES: Readonly<Record<string, string>> = {
  Delivery: 'a row of each list',
  DeliveryDetails: 'a delivery with its event and its attempts',
  Endpoint: 'what look-ups and acts return',
  EndpointDetails: 'an endpoint with names, counts and hours, for `find`',
  EndpointReport: 'an endpoint with names and counts, for lists',
  OwnDelivery: 'what the partner API returns',
  OwnEndpoint: 'what the partner API returns',
  PortalDelivery: 'what the partner API returns, and the extras of the portal',
  PortalDeliveryDetails: 'with the body and the attempts',
  PortalEndpoint: 'what the partner API returns, and the extras of the portal',
  StoredDelivery: 'what a storage keeps',
  StoredEndpoint: 'what a storage keeps, with the sealed secrets',
};

/** Inputs, results, parts and commands. None of them tells the facts of an endpoint or a delivery again. */
const OTHERS: readonly string[] = [
  'DeliveryCommands',
  'DeliveryCounts',
  'DeliveryEvidence',
  'DeliveryFilter',
  'DeliveryLookup',
  'DeliveryOutcome',
  'DeliveryRange',
  'DeliveryReader',
  'DeliveryState',
  'DeliveryTarget',
  'DeliveryTotals',
  'DeliveryWait',
  'EndpointBacklog',
  'EndpointCommands',
  'EndpointFailure',
  'EndpointFailureKind',
  'EndpointFilter',
  'EndpointHealth',
  'EndpointOutcome',
  'EndpointResumption',
  'EndpointRight',
  'EndpointRights',
  'EndpointSelfService',
  'EndpointState',
  'EndpointSummary',
  'EndpointTarget',
  'EndpointTest',
  'EndpointTester',
  'EndpointUrlChange',
  'EndpointUrlOutcome',
  'EndpointWarnings',
  'ObserveEndpoints',
  'PortalDeliveryFilter',
  'ReadDelivery',
  'TestDelivery',
];

const EXPORTED = /^export (?:interface|type|class) (\w*(?:Endpoint|Delivery)\w*)/gm;

test('core has the signed types of endpoints and deliveries, and no other', () => {
  const files = filesInGit(
    ...['domain', 'groups', 'operator', 'features'].map((path) => `packages/core/src/${path}`),
  );
  const found = files
    .filter((file) => !/(?:\.test|routes|wire-schemas|repository)\.ts$/.test(file))
    .flatMap((file) =>
      [...readFileSync(join(ROOT, file), 'utf8').matchAll(EXPORTED)].map(([, name]) => name),
    );
  expect([...new Set(found)].sort()).toEqual([...Object.keys(SHAPES), ...OTHERS].sort());
});
