'use server';

import type { ApplicationId } from '@partner-hiring/core';
import { revalidatePath } from 'next/cache';
import { openPlatform } from '../../platform';

/** Hires a candidate. The platform's row and the partner's webhook commit together. */
export async function hire(form: FormData): Promise<void> {
  const { partnerHiring, transact } = await openPlatform();
  const id = String(form.get('id')) as ApplicationId;
  await transact(async (tx) => {
    tx.prepare("update candidate set status = 'hired' where application_id = ?").run(id);
    const { applications } = partnerHiring.operator.within(tx);
    await applications.beginEvaluation({ id });
    await applications.decide({ id, decision: 'accepted' });
  });
  partnerHiring.worker.wake();
  revalidatePath('/');
}
