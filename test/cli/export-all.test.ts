import { describeExportAll } from './export-all.js';

describeExportAll();
