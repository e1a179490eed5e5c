import { describeHttp } from '@partner-hiring/conformance';
import { partnerHiringExpress } from '@partner-hiring/express';
import { EXPRESS } from '@partner-hiring/test-support/servers/express-name';
import express from 'express';
import { listen } from './listen.js';
import { openStorage } from './open-storage.js';

describeHttp(EXPRESS, {
  openStorage,
  serve: (api) => listen(express().use(partnerHiringExpress(api))),
});
