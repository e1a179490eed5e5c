import { answerOf } from '@partner-hiring/test-support/network/file-servers/file-server';
import { SITES } from '@partner-hiring/test-support/network/file-servers/sites';
import { STORES } from '@partner-hiring/test-support/network/file-servers/stores';
import { startRequestServer } from '@partner-hiring/test-support/network/raw-server';
import { expect, it } from 'vitest';
import { createResumeSource } from '../../features/resumes/defaults/resume-source.js';

const SERVERS = [...STORES, ...SITES];

it('the corpus has at least 60 servers, each with another title and with its evidence', () => {
  expect(new Set(SERVERS.map(({ title }) => title)).size).toBe(SERVERS.length);
  expect(SERVERS.length).toBeGreaterThanOrEqual(60);
  expect(SERVERS.filter(({ evidence }) => evidence === '')).toEqual([]);
});

it.each(SERVERS)('gets what a browser gets from $title', async (server) => {
  const { port } = await startRequestServer((socket) => socket.end(answerOf(server)));
  const source = createResumeSource({ allowPrivateNetworks: true, allowPlainHttp: true });
  const download = await source.fetch(`http://127.0.0.1:${port}${server.path}`);
  await source.close();
  if (server.file === null) {
    expect(download).toMatchObject({ kind: 'failed' });
    return;
  }
  expect(download).toMatchObject({
    kind: 'fetched',
    mediaType: server.file.type,
    fileName: server.file.name,
  });
  expect(download).toMatchObject({ bytes: server.file.bytes });
});
