import type { Page, PageOptions } from '@partner-hiring/core';
import type { Tasks } from './tasks.js';

/** A solution of each task, on a storage whose host transaction is `Tx`. */
export function answersFor<Tx>(): Tasks<Tx> {
  return {
    async createPartnerWithKey(operator, endpointUrl) {
      const { id: partnerId } = await operator.partners.create({ name: 'Acme ATS' });
      const issued = await operator.keys.issue({ partnerId, environment: 'production', endpointUrl });
      return { apiKey: issued.secret, signingSecret: issued.endpoint?.signingSecret };
    },

    async createCompanyFor(operator, keyId, name) {
      const { id: companyId } = await operator.companies.create({ name, environment: 'production' });
      await operator.access.grant({ keyId, companyId });
      return companyId;
    },

    async closeAllJobs(operator, companyId) {
      for (let closed = 0; ; ) {
        const { items: jobs } = await operator.jobs.list({ companyId, state: 'open' });
        if (jobs.length === 0) return closed;
        await operator.jobs.closeMany(jobs.map(({ id }) => ({ id })));
        closed += jobs.length;
      }
    },

    async countOpenJobs(operator, companyId) {
      const jobs = await readAll((page) => operator.jobs.list({ companyId, state: 'open', ...page }));
      return jobs.length;
    },

    async hire(operator, tx, id, staff) {
      await operator.within(tx).as(staff).applications.decide({ id, decision: 'accepted' });
    },

    async listNewApplications(operator, jobId) {
      const status = 'received';
      const found = await readAll((page) => operator.applications.list({ jobId, status, ...page }));
      return found.map(({ id }) => id);
    },

    async listFailedRequests(operator, keyId, since) {
      const filter = { keyId, since, onlyErrors: true };
      const found = await readAll((page) => operator.requests.list({ ...filter, ...page }));
      return found.map(({ requestId }) => requestId);
    },

    async listFailedEvents(operator, keyId, since) {
      const filter = { keyId, since, state: 'dead' } as const;
      const found = await readAll((page) => operator.deliveries.list({ ...filter, ...page }));
      return found.map(({ eventId }) => eventId);
    },

    async whoChangedKey(operator, keyId) {
      const { items } = await operator.audit.list({ object: { kind: 'key', id: keyId }, limit: 1 });
      const [last] = items;
      return last === undefined ? null : { who: last.actor.id, command: last.act };
    },

    async waitForOperation(operator, id, show) {
      for (;;) {
        const operation = await operator.operations.find({ id });
        if (operation === null) throw new Error(`Operation ${id} does not exist.`);
        show(operation.counts.done);
        if (operation.state !== 'running') return operation.state === 'done';
        await new Promise((resolve) => setTimeout(resolve, 1_000));
      }
    },

    async cancelOperation(operator, id) {
      await operator.operations.stop({ id });
    },

    async sendAgain(operator, keyId, eventId) {
      await operator.deliveries.redeliver({ keyId, eventId });
    },

    async countToSendAgain(operator, keyId, since) {
      const { count } = await operator.deliveries.redeliverSince({ keyId, since, dryRun: true });
      return count;
    },

    async explainRequest(operator, requestId) {
      const request = await operator.requests.find({ requestId });
      if (!request?.refusal) return null;
      return { why: request.refusal.rule, fix: request.refusal.fix };
    },

    async doesPartnerKnow(operator, id) {
      const { news } = await operator.applications.timeline({ id });
      return news.text;
    },

    async checkEndpoint(operator, keyId) {
      const report = await operator.endpoints.health({ keyId });
      if (report === null) return null;
      const { counts, endpoint } = report;
      const waiting = counts.due + counts.scheduled + counts.paused;
      return { waiting, isPaused: endpoint.state.kind === 'paused' };
    },

    async listFailingPartners(operator) {
      const found = await readAll((page) => operator.endpoints.listFailing(page));
      return found.map(({ partnerName }) => partnerName);
    },

    async receiveInbox(operator, store) {
      const items = await operator.inbox.take();
      for (const { applicationId } of items) await store(applicationId);
      await operator.inbox.acknowledge(items.map(({ id }) => id));
    },

    async erasePerson(operator, email) {
      const { applications } = await operator.candidates.erase({ email });
      return applications.length;
    },

    async replaceLeakedKey(operator, keyId) {
      await operator.keys.revoke({ keyId, all: true });
      const { secret } = await operator.keys.rotate({ keyId, overlapMs: 0 });
      return secret;
    },
  };
}

async function readAll<Item>(read: (page: PageOptions) => Promise<Page<Item>>): Promise<readonly Item[]> {
  const all: Item[] = [];
  let page = await read({});
  for (;;) {
    all.push(...page.items);
    if (page.nextCursor === null) return all;
    page = await read({ cursor: page.nextCursor });
  }
}
