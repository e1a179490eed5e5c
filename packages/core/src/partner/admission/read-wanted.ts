import type { Application } from '../../domain/application.js';
import type { KeyId } from '../../domain/ids.js';
import type { Repositories } from '../../ports/storage.js';
import type { AdmitCall } from '../partner-api.js';
import type { CountedKeys } from './cached-keys.js';

/** The applications that calls ask for, as far as their keys are presumed; undefined for all other calls. */
export async function readWanted(
  { applications }: Pick<Repositories, 'applications'>,
  calls: readonly AdmitCall[],
  keyIds: CountedKeys,
): Promise<readonly (Application | null | undefined)[]> {
  const places: number[] = [];
  const wanted: { keyId: KeyId; id: string }[] = [];
  for (const [index, { applicationId: id }] of calls.entries()) {
    const keyId = keyIds[index] ?? null;
    if (id === null || keyId === null) continue;
    places.push(index);
    wanted.push({ keyId, id });
  }
  if (wanted.length === 0) return [];
  const found = await applications.findOwned(wanted);
  const answers: (Application | null | undefined)[] = calls.map(() => undefined);
  for (const [index, place] of places.entries()) answers[place] = found[index] ?? null;
  return answers;
}
