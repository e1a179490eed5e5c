'use server';

import { cookies, headers } from 'next/headers';
import { redirect } from 'next/navigation';
import { isStaffToken, STAFF_COOKIE } from '../../staff';

/** Signs staff in by their token. */
export async function signIn(form: FormData): Promise<void> {
  const token = String(form.get('token'));
  if (isStaffToken(token)) {
    const secure = (await headers()).get('x-forwarded-proto') === 'https';
    // Other sites cannot send the cookie, so their forms do nothing.
    (await cookies()).set(STAFF_COOKIE, token, { httpOnly: true, sameSite: 'strict', secure });
  }
  redirect('/');
}
