import { describeHttp } from '@partner-hiring/conformance';
import { serveFetch } from '@partner-hiring/test-support/servers/fetch-server';
import { listen } from './listen.js';
import { openStorage } from './open-storage.js';

describeHttp('the Request → Response handler', {
  openStorage,
  serve: ({ fetch }) => listen((request, response) => serveFetch(fetch, request, response)),
});
