import type { RequestReads, RequestRecord } from '@partner-hiring/core/ports';
import type { Columns } from '../dialect.js';
import type { RequestReadTable, RequestTable } from '../schema.js';

export const REQUEST_COLUMNS: Columns<RequestTable> = {
  request_id: 'text',
  at: 'integer',
  is_error: 'integer',
  key_id: 'text',
  client: 'text',
  method: 'text',
  route: 'text',
  status: 'integer',
  code: 'text',
  fields: 'text',
  duration_ms: 'integer',
  application_id: 'text',
  is_replay: 'integer',
  count: 'integer',
  last_at: 'integer',
};

export const READ_COLUMNS: Columns<RequestReadTable> = {
  key_id: 'text',
  route: 'text',
  minute: 'integer',
  count: 'integer',
  last_at: 'integer',
  sweep_at: 'integer',
  last_request_id: 'text',
  read_after: 'integer',
  read_through: 'integer',
};

export function fromRequest(request: RequestRecord): RequestTable {
  return {
    request_id: request.requestId,
    at: request.at,
    is_error: request.code === null ? 0 : 1,
    key_id: request.keyId,
    client: request.client,
    method: request.method,
    route: request.route,
    status: request.status,
    code: request.code,
    fields: JSON.stringify(request.fields),
    duration_ms: request.durationMs,
    application_id: request.applicationId,
    is_replay: request.isReplay ? 1 : 0,
    count: request.count,
    last_at: request.lastAt,
  };
}

export function toRequest(row: RequestTable): RequestRecord {
  return {
    requestId: row.request_id,
    at: row.at,
    keyId: row.key_id,
    client: row.client,
    method: row.method,
    route: row.route,
    status: row.status,
    code: row.code,
    fields: JSON.parse(row.fields) as readonly string[],
    durationMs: row.duration_ms,
    applicationId: row.application_id,
    isReplay: row.is_replay === 1,
    count: row.count,
    lastAt: row.last_at,
  };
}

export function fromReads(reads: RequestReads): RequestReadTable {
  return {
    key_id: reads.keyId,
    route: reads.route,
    minute: reads.minute,
    count: reads.count,
    last_at: reads.lastAt,
    sweep_at: reads.minute,
    last_request_id: reads.lastRequestId,
    read_after: reads.readRange?.after ?? null,
    read_through: reads.readRange?.through ?? null,
  };
}

export function toReads(row: RequestReadTable): RequestReads {
  return {
    keyId: row.key_id,
    route: row.route,
    minute: row.minute,
    count: row.count,
    lastAt: row.last_at,
    lastRequestId: row.last_request_id,
    readRange:
      row.read_after === null || row.read_through === null
        ? null
        : { after: row.read_after, through: row.read_through },
  };
}
