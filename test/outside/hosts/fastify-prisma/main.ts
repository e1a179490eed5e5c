/** A host on Fastify, with its candidates in Prisma. */
import { type ApplicationId, createPartnerHiring } from '@partner-hiring/core';
import { partnerHiringFastify } from '@partner-hiring/fastify';
import { createPostgresStorage } from '@partner-hiring/postgres';
import { fromPrisma, inPrisma } from '@partner-hiring/postgres/prisma';
import { PrismaPg } from '@prisma/adapter-pg';
import Fastify, { type onRequestAsyncHookHandler } from 'fastify';
import { PrismaClient } from './generated/client.js';
import { seed } from './seed.js';
import { findStaff } from './staff.js';

const connectionString = process.env.DATABASE_URL ?? '';
const prisma = new PrismaClient({ adapter: new PrismaPg({ connectionString }) });
await prisma.$executeRaw`
  create table if not exists candidate (application_id text primary key, name text not null, status text not null)`;
const partnerHiring = createPartnerHiring({
  storage: await createPostgresStorage({ connectionString }),
  secretKey: process.env.PARTNER_HIRING_SEALING_KEY ?? '',
  allowPrivateNetworks: process.env.ALLOW_PRIVATE_NETWORKS === 'yes',
  inbox: {
    transaction: inPrisma(prisma),
    async receive(items, { tx }) {
      for (const { kind, applicationId, application } of items) {
        if (kind === 'candidate.erased') await tx.candidate.deleteMany({ where: { applicationId } });
        if (kind !== 'application.submitted') continue;
        const { firstName, lastName } = application.candidate;
        const data = { applicationId, name: `${firstName} ${lastName}`, status: 'new' };
        await tx.candidate.create({ data });
      }
    },
  },
});

const app = Fastify();
await app.register(partnerHiringFastify(partnerHiring));
const onRequest: onRequestAsyncHookHandler = async (request, reply) => {
  if (findStaff(request.headers.cookie) === null) return reply.status(401).send();
};
app.get('/candidates', { onRequest }, () => prisma.candidate.findMany());
app.post<{ Params: { id: ApplicationId } }>('/candidates/:id/hire', { onRequest }, async (request, reply) => {
  const { id } = request.params;
  await prisma.$transaction(async (tx) => {
    await tx.candidate.update({ where: { applicationId: id }, data: { status: 'hired' } });
    const { applications } = partnerHiring.operator.within(fromPrisma(tx));
    await applications.move({ id });
    await applications.decide({ id, decision: 'accepted' });
  });
  partnerHiring.worker.wake();
  return reply.status(204).send();
});

await seed(partnerHiring);
partnerHiring.worker.start();
await app.listen({ port: Number(process.env.PORT), host: '127.0.0.1' });
