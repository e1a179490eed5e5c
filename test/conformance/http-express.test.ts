import { describeHttp } from '@partner-hiring/conformance';
import { partnerHiringExpress } from '@partner-hiring/express';
import express from 'express';
import express4 from 'express4';
import { listen } from './listen.js';
import { openStorage } from './open-storage.js';

for (const [name, createApp] of [
  ['Express 5', express],
  ['Express 4', express4],
] as const) {
  describeHttp(name, {
    openStorage,
    serve: (api) => listen(createApp().use(partnerHiringExpress(api))),
  });
}
