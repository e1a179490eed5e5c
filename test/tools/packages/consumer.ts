/** Uses every package in one program without a network. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PartnerApiError } from '@partner-hiring/client';
import {
  createPartnerHiring,
  OperatorError,
  type WebhookRequest,
  type WebhookTransport,
} from '@partner-hiring/core';
import { partnerHiringExpress } from '@partner-hiring/express';
import { partnerHiringFastify } from '@partner-hiring/fastify';
import { createNodeHandler } from '@partner-hiring/node';
import { createOpenApiDocument, createPartnerDocs } from '@partner-hiring/partner-docs';
import { postgresMigrationSql } from '@partner-hiring/postgres';
import { createSqliteStorage } from '@partner-hiring/sqlite';
import { verifyWebhook } from '@partner-hiring/webhook-verifier';
import { partnerWebhooksExpress } from '@partner-hiring/webhook-verifier/express';
import { partnerWebhooksFastify } from '@partner-hiring/webhook-verifier/fastify';
import { partnerWebhooksFetch } from '@partner-hiring/webhook-verifier/fetch';
import express from 'express';
import Fastify from 'fastify';

async function main(folder: string): Promise<string> {
  const sent: WebhookRequest[] = [];
  const transport: WebhookTransport = {
    post: async (request) => {
      sent.push(request);
      return { kind: 'answered', status: 204, excerpt: '' };
    },
    close: async () => {},
  };
  const storage = await createSqliteStorage({ file: join(folder, 'consumer.sqlite') });
  const partnerHiring = createPartnerHiring({ storage, transport, secretKey: '0123456789abcdef'.repeat(4) });
  for (const adapter of [partnerHiringFastify, partnerHiringExpress, createNodeHandler]) {
    if (typeof adapter !== 'function') throw new Error('An adapter is missing.');
  }

  if (!postgresMigrationSql().includes('create table ph_application')) {
    throw new Error('The migrations of PostgreSQL are missing.');
  }

  // Loggers print the name of the error class.
  for (const [name, error] of Object.entries({ OperatorError, PartnerApiError })) {
    if (error.name !== name) throw new Error(`${name} is called ${error.name}.`);
  }

  const { basePath } = partnerHiring.handler;
  const document = createOpenApiDocument({ basePath });
  if (document.servers[0]?.url !== basePath) throw new Error('The OpenAPI document has another base path.');

  // The build contains the pages, because the repository's docs are not there.
  const docs = createPartnerDocs({ origin: 'https://hiring.example.org', basePath });
  if (!docs.pages.some(({ path, text }) => path === 'webhooks.md' && text.startsWith('# Webhooks'))) {
    throw new Error('The pages for partners are missing.');
  }

  const { operator } = partnerHiring;
  const partner = await operator.partners.create({ name: 'ATS' });
  const { key, secret, endpoint } = await operator.keys.issue({
    partnerId: partner.id,
    environment: 'sandbox',
    endpointUrl: 'https://ats.example.org/hooks',
  });
  const company = await operator.companies.create({ name: 'Initech', environment: 'sandbox' });
  await operator.access.grant({ keyId: key.id, companyId: company.id });
  await operator.jobs.publish({
    companyId: company.id,
    title: 'Picker',
    location: { city: 'Reno', state: 'NV', country: 'US' },
    compensation: { type: 'hourly', min: null, max: null, currency: 'USD' },
    schedule: null,
    headcount: { total: null, filled: 0 },
    applicationFormSchema: null,
  });
  const url = 'http://localhost/api/v1/external/jobs';
  const jobs = await partnerHiring.fetch(
    new Request(url, { headers: { authorization: `Bearer ${secret}` } }),
  );
  await partnerHiring.worker.drain();
  await partnerHiring.close();

  const [webhook] = sent;
  if (webhook === undefined || endpoint === null) throw new Error('Nothing was sent.');
  const verdict = await verifyWebhook({ ...webhook, secret: endpoint.signingSecret });
  if (!verdict.ok || verdict.event.type !== 'job.opened') throw new Error('The webhook was not verified.');
  const taken = await receive(webhook, endpoint.signingSecret);
  return `GET /jobs ${jobs.status}, ${verdict.event.type} verified, and taken with ${taken}`;
}

/** Sends a webhook to a receiver. Those of Express and Fastify are only type-checked. */
async function receive({ url, body, headers }: WebhookRequest, secret: string): Promise<number> {
  const options = { secret, onEvent: () => {} };
  express().post('/webhooks', partnerWebhooksExpress(options));
  await Fastify().register(partnerWebhooksFastify({ path: '/webhooks', ...options }));
  const request = new Request(url, { method: 'POST', body, headers: { ...headers } });
  return (await partnerWebhooksFetch(options)(request)).status;
}

const folder = mkdtempSync(join(tmpdir(), 'partner-hiring-consumer-'));
main(folder)
  .then(
    (story) => console.log(`    ${story}`),
    (error: unknown) => {
      console.error(error);
      process.exitCode = 1;
    },
  )
  .finally(() => rmSync(folder, { recursive: true, force: true }));
