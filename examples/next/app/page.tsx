import { openPlatform } from '../platform';
import { isStaff } from '../staff';
import { hire } from './hire/action';
import { SignInForm } from './sign-in/form';

export const dynamic = 'force-dynamic';

interface Candidate {
  readonly application_id: string;
  readonly name: string;
  readonly status: string;
}

/** Lists the platform's own candidates for staff, with a button for each one that is not hired yet. */
export default async function Page() {
  if (!(await isStaff())) return <SignInForm />;
  const { database } = await openPlatform();
  const candidates = database.prepare<[], Candidate>('select * from candidate order by name').all();
  return (
    <main>
      <h1>Candidates</h1>
      {candidates.length === 0 && <p>No candidate yet.</p>}
      {candidates.map(({ application_id: id, name, status }) => (
        <form action={hire} key={id}>
          <input name="id" type="hidden" value={id} />
          <p>
            {name}: {status} {status === 'new' && <button type="submit">Hire {name}</button>}
          </p>
        </form>
      ))}
    </main>
  );
}
