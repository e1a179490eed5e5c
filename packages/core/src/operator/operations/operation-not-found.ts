import type { OperationId } from '../../domain/ids.js';
import { OperatorError } from '../../errors.js';
import { describeMissing } from '../find-or-throw.js';

export function operationNotFound(id: OperationId): OperatorError {
  const message = `${describeMissing('operation', id)} Operations are deleted some time after they ended. operations.list shows those that are left.`;
  return new OperatorError('OPERATION_NOT_FOUND', message);
}
