import { collect } from '@partner-hiring/test-support/client/collect';
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
      const { id } = await operator.jobs.closeAll({ companyId });
      return (await operator.operations.wait({ id })).counts.done;
    },

    async countOpenJobs(operator, companyId) {
      return operator.jobs.count({ companyId, state: 'open' });
    },

    async hire(operator, tx, id, staff) {
      await operator.within(tx).as(staff).applications.decide({ id, decision: 'accepted' });
    },

    async listNewApplications(operator, jobId) {
      const found = await collect(operator.applications.each({ jobId, status: 'received' }));
      return found.map(({ id }) => id);
    },

    async listFailedRequests(operator, keyId, since) {
      const found = await collect(operator.requests.each({ keyId, since, onlyErrors: true }));
      return found.map(({ requestId }) => requestId);
    },

    async listFailedEvents(operator, keyId, since) {
      const found = await collect(operator.deliveries.each({ keyId, since, state: 'dead' }));
      return found.map(({ eventId }) => eventId);
    },

    async whoChangedKey(operator, keyId) {
      const { items } = await operator.audit.list({ keyId, limit: 1 });
      const [last] = items;
      return last === undefined ? null : { who: last.actor.id, command: last.act };
    },

    async waitForOperation(operator, id, show) {
      const { state } = await operator.operations.wait({ id, onProgress: ({ counts }) => show(counts.done) });
      return state === 'done';
    },

    async cancelOperation(operator, id) {
      await operator.operations.stop({ id });
    },

    async resend(operator, keyId, eventId) {
      await operator.deliveries.resend({ keyId, eventIds: [eventId] });
    },

    async countToResend(operator, keyId, since) {
      const { count } = await operator.deliveries.resend({ keyId, since, dryRun: true });
      return count;
    },

    async explainRequest(operator, requestId) {
      const request = await operator.requests.find({ id: requestId });
      if (!request?.refusal) return null;
      return { why: request.refusal.rule, fix: request.refusal.fix };
    },

    async doesPartnerKnow(operator, id) {
      const { news } = await operator.timelines.find({ applicationId: id });
      return news?.text ?? '';
    },

    async checkEndpoint(operator, keyId) {
      const endpoint = await operator.endpoints.find({ keyId });
      if (endpoint === null) return null;
      const { counts, state } = endpoint;
      const waiting = counts.due + counts.scheduled + counts.paused;
      return { waiting, isPaused: state.kind === 'paused' };
    },

    async listFailingPartners(operator) {
      const found = await collect(operator.endpoints.each({ onlyFailing: true }));
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
      await operator.keys.revoke({ id: keyId, all: true });
      const { secret } = await operator.keys.rotate({ id: keyId, overlapMs: 0 });
      return secret;
    },
  };
}
