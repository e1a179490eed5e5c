'use server';

import type { ApplicationId } from '@partner-hiring/core';
import { revalidatePath } from 'next/cache';
import { openPlatform } from '../../platform';
import { isStaff } from '../../staff';

/** Hires a candidate. The platform's row and the partner's webhook commit together. */
export async function hire(form: FormData): Promise<void> {
  // Anybody can call an action, also without the page.
  if (!(await isStaff())) throw new Error('Sign in first.');
  const { partnerHiring, transact } = await openPlatform();
  const id = String(form.get('id')) as ApplicationId;
  await transact(async (tx) => {
    tx.prepare("update candidate set status = 'hired' where application_id = ?").run(id);
    const { applications } = partnerHiring.operator.within(tx);
    await applications.move({ id });
    await applications.decide({ id, decision: 'accepted' });
  });
  partnerHiring.worker.wake();
  revalidatePath('/');
}
