import { APPLICATION } from '@partner-hiring/test-support/client/fake-partner-api';
import { createHandlerUnderTest } from '@partner-hiring/test-support/servers/handler';
import { describe, expect, it } from 'vitest';

describe('GET /applications/{id}', () => {
  it('sends all fields of an application with 200', async () => {
    const { send, asked } = createHandlerUnderTest();
    const reply = await send('GET', '/applications/ej_app_1?unknown=1');
    expect(reply.status).toBe(200);
    expect(JSON.parse(reply.body)).toEqual({
      id: 'ej_app_1',
      sourceApplicationId: 'their-1',
      jobId: 'job_1',
      status: 'in_progress',
      currentStage: 'Under Review',
      submittedAt: '2026-01-05T09:00:00.000Z',
      lastStatusChangeAt: '2026-01-05T09:00:00.001Z',
    });
    expect(asked.reads).toEqual([APPLICATION.id]);
  });

  it('decodes the id in the path', async () => {
    const { send, asked } = createHandlerUnderTest();
    await send('GET', '/applications/ej%5Fapp%5f1');
    expect(asked.reads).toEqual(['ej_app_1']);
  });

  it.each([
    'ej_app_2',
    'job_1',
    '%',
    '%zz',
    '%E0%A4%A',
    '%00',
    'ej_app_%00',
    '%2F',
    `ej_app_${'9'.repeat(500)}`,
  ])('sends 404 APPLICATION_NOT_FOUND with equal bytes for %s', async (id) => {
    const reply = await createHandlerUnderTest({ readApplication: async () => null }).send(
      'GET',
      `/applications/${id}`,
    );
    const reference = await createHandlerUnderTest({ readApplication: async () => null }).send(
      'GET',
      '/applications/ej_app_none',
    );
    expect(reply).toEqual(reference);
    expect([reply.status, JSON.parse(reply.body).error]).toEqual([404, 'APPLICATION_NOT_FOUND']);
  });
});
