import type { Tasks } from './tasks.js';

/** A solution of each task, on a storage whose host transaction is `Tx`. */
export function answersFor<Tx>(): Tasks<Tx> {
  return {
    async createPartnerWithKey(operator, endpointUrl) {
      const { id: partnerId } = await operator.partners.add({ name: 'Acme ATS' });
      const issued = await operator.keys.issue({ partnerId, environment: 'production', endpointUrl });
      return { apiKey: issued.secret, signingSecret: issued.endpoint?.signingSecret };
    },

    async createCompanyFor(operator, keyId, name) {
      const { id: companyId } = await operator.companies.register({ name, environment: 'production' });
      await operator.access.grant({ keyId, companyId });
      return companyId;
    },

    async closeAllJobs(operator, companyId) {
      for (let closed = 0; ; ) {
        const { jobs } = await operator.jobs.list({ companyId, state: 'open' });
        if (jobs.length === 0) return closed;
        await operator.jobs.closeMany(jobs.map(({ id }) => ({ id })));
        closed += jobs.length;
      }
    },

    async countOpenJobs(operator, companyId) {
      let count = 0;
      let cursor: string | null = null;
      do {
        const page: { jobs: readonly unknown[]; nextCursor: string | null } = await operator.jobs.list({
          companyId,
          state: 'open',
          cursor: cursor ?? undefined,
        });
        count += page.jobs.length;
        cursor = page.nextCursor;
      } while (cursor !== null);
      return count;
    },

    async hire(operator, tx, id, staff) {
      await operator.within(tx).as(staff).applications.decide({ id, decision: 'accepted' });
    },

    async listNewApplications(operator, jobId) {
      return readAll(async (cursor) => {
        const page = await operator.applications.list({ jobId, status: 'received', cursor });
        return { items: page.applications.map(({ id }) => id), nextCursor: page.nextCursor };
      });
    },

    async listFailedRequests(operator, keyId, since) {
      return readAll(async (cursor) => {
        const page = await operator.requests.list({ keyId, since, onlyErrors: true, cursor });
        return { items: page.requests.map(({ requestId }) => requestId), nextCursor: page.nextCursor };
      });
    },

    async listFailedEvents(operator, keyId, since) {
      return readAll(async (cursor) => {
        const page = await operator.deliveries.list({ keyId, since, state: 'dead', cursor });
        return { items: page.deliveries.map(({ eventId }) => eventId), nextCursor: page.nextCursor };
      });
    },

    async whoChangedKey(operator, keyId) {
      const { entries } = await operator.audit.list({ object: { kind: 'key', id: keyId }, limit: 1 });
      const [last] = entries;
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
      return {
        waiting: counts.due + counts.scheduled + counts.paused,
        isPaused: endpoint.state.kind === 'paused',
      };
    },

    async listFailingPartners(operator) {
      return readAll(async (cursor) => {
        const page = await operator.endpoints.listFailing(cursor === undefined ? {} : { cursor });
        return { items: page.endpoints.map(({ partnerName }) => partnerName), nextCursor: page.nextCursor };
      });
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

async function readAll<Item>(
  read: (cursor: string | undefined) => Promise<{ items: readonly Item[]; nextCursor: string | null }>,
): Promise<readonly Item[]> {
  const all: Item[] = [];
  let cursor: string | undefined;
  do {
    const page = await read(cursor);
    all.push(...page.items);
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
  return all;
}
