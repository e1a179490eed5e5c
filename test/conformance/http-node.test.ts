import { describeHttp } from '@partner-hiring/conformance';
import { createNodeHandler } from '@partner-hiring/node';
import { listen } from './listen.js';
import { openStorage } from './open-storage.js';

describeHttp('Node’s own server', {
  openStorage,
  serve: (api) => listen(createNodeHandler(api)),
});
