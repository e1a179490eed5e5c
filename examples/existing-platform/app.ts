/** The web application of the platform before it has partners: a sign-in, and pages for staff. */
import express, { type Request, type RequestHandler, type Response } from 'express';
import { candidate, db } from './platform.js';
import { findStaff, type Staff, staffOf } from './staff.js';

export const app = express();

interface StaffCall {
  readonly staff: Staff;
  readonly request: Request;
  readonly response: Response;
}

/** Serves a route to staff. Everybody else gets 401. */
export function forStaff(serve: (call: StaffCall) => Promise<unknown>): RequestHandler {
  return async (request, response) => {
    const staff = findStaff(request.headers.cookie);
    if (staff === null) response.status(401).send('Sign in at /sign-in.');
    else await serve({ staff, request, response });
  };
}

const FORM = '<form method="post"><input type="password" name="token"> <button>Sign in</button></form>';

app.get('/sign-in', (_request, response) => response.type('html').send(FORM));
app.post('/sign-in', express.urlencoded(), (request, response) => {
  const given = String(request.body?.token);
  if (staffOf(given) === null) return void response.status(401).type('html').send(FORM);
  // Other sites cannot send the cookie, so their forms do nothing.
  response.cookie('staff', given, { httpOnly: true, sameSite: 'strict', secure: request.secure });
  response.redirect(303, '/candidates');
});
app.get(
  '/candidates',
  forStaff(async ({ response }) => response.json(await db.select().from(candidate))),
);
