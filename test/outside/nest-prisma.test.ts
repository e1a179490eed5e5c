import { outsideExample } from '../../examples/run-outside.js';
import { describeJsonHost } from './json-host.js';

describeJsonHost([outsideExample('nest-prisma')]);
