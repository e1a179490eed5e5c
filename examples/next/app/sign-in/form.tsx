import { signIn } from './action';

/** Asks for the token of the staff. */
export function SignInForm() {
  return (
    <form action={signIn}>
      <p>
        <label>
          Staff token <input name="token" type="password" />
        </label>{' '}
        <button type="submit">Sign in</button>
      </p>
    </form>
  );
}
