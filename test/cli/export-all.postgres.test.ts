import { describe } from 'vitest';
import { describeExportAll } from './export-all.js';

describe('one schema', () => describeExportAll());
describe('three cells', () => describeExportAll(3));
