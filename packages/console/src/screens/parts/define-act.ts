import { type CommandName, type InputOf, OperatorError, type ResultFor } from '@partner-hiring/core';
import { errorPage, pageOfOperatorError } from '../../http/error-pages.js';
import type { CountedNotice, DoneName, RefusedName } from '../../http/notices.js';
import type {
  FormCall,
  PageCall,
  PageContent,
  Redirection,
  RunAction,
  ScreenAction,
  ScreenCall,
} from '../../http/screen.js';
import { type Confirmation, confirmationPage } from '../../view/forms.js';
import type { DoneAlready } from './rotation.js';

/** A sentence about what was done, or what failed. */
export type Done = DoneName | CountedNotice;

/** An act is refused before anything was asked or done. The page of the act says why. */
export class RefusedAct extends Error {
  override readonly name = 'RefusedAct';
  /** @param to - the page that helps. Default: the page to go back to. */
  constructor(
    readonly reason: RefusedName | CountedNotice,
    readonly to: string | null = null,
  ) {
    super(`The act is refused: ${reason}.`);
  }
}

/** An act: its subject, the question before it, the work, and the page after it. */
export interface ActDeclaration<Subject, Call extends PageCall = ScreenCall> {
  /** The page to go back to. It says what was done, or why nothing was. Default: {@link pageOfAct}. */
  back?(call: Call & FormCall): string;
  /** Reads the subject from path and form. Throws {@link RefusedAct} or `NothingHere`. */
  find(call: Call & FormCall): Subject | Promise<Subject>;
  /** Returns what to ask first. Null if this subject needs no confirmation. */
  ask?(subject: Subject, call: Call & FormCall): Question | null | Promise<Question | null>;
  /** Acts. Returns what the page to go back to says, or another page. */
  run(subject: Subject, call: Call & FormCall): Promise<Done | PageContent | Redirection>;
  /** Returns the notice to show if the form is submitted again. For acts whose answer shows a secret only once. */
  once?(subject: Subject, call: Call & FormCall): DoneAlready;
}

/** The question before an act. */
export type Question = Omit<Confirmation, 'back'>;

/** The page that an act belongs to: the address of the act, without its end. */
export function pageOfAct({ here }: PageCall): string {
  return here.slice(0, here.lastIndexOf('/'));
}

/** Returns `defineAct` for the pages of the console, or of the portal. */
export function defineActFor<Call extends PageCall>() {
  return <Subject>(act: ActDeclaration<Subject, Call>): RunAction<Call> => {
    const run: RunAction<Call> = async (call) => {
      const { back: backOf = pageOfAct } = act;
      const back = backOf(call);
      try {
        const subject = await act.find(call);
        const question = call.isConfirmed ? null : await act.ask?.(subject, call);
        if (question) return confirmationPage(call, { ...question, back });
        return await runOnce(act, subject, call, back);
      } catch (error) {
        if (error instanceof RefusedAct) return goTo(error.to ?? back, error.reason);
        if (!(error instanceof OperatorError) || error.code.endsWith('_NOT_FOUND')) throw error;
        return { ...pageOfOperatorError(error), crumbs: [{ label: 'Back', href: back }] };
      }
    };
    return act.ask === undefined && 'isWithoutPage' in act.run ? withoutPage(run) : run;
  };
}

/** Marks what only redirects or downloads a file: the tests need no example of its page. */
export function withoutPage<Run extends object>(run: Run): Run {
  return Object.assign(run, { isWithoutPage: true });
}

/** Asks before an act, runs it, and redirects back. If the operator refuses, shows its explanation with a link back. */
export const defineAct = defineActFor<ScreenCall>();

/** The input of a command for one object. */
type OneInputOf<Name extends CommandName> = Exclude<InputOf<Name>, readonly unknown[]>;

/** The commands that return whether they changed an object. */
type ChangingCommand = {
  [Name in CommandName]: ResultFor<Name, OneInputOf<Name>> extends { readonly changed: boolean }
    ? Name
    : never;
}[CommandName];

/** Returns the `run` of an act that is one command: says whether it changed anything. */
export function change<Name extends ChangingCommand, Subject>(
  command: Name,
  inputOf: (subject: Subject, call: ScreenAction) => OneInputOf<Name>,
  done: DoneName,
  unchanged: DoneName,
): ActDeclaration<Subject>['run'] {
  return withoutPage(async (subject: Subject, call: ScreenAction) => {
    const outcome: unknown = await call.gate.call(command, inputOf(subject, call));
    return (outcome as { readonly changed: boolean }).changed ? done : unchanged;
  });
}

async function runOnce<Subject, Call extends PageCall>(
  { run, once }: ActDeclaration<Subject, Call>,
  subject: Subject,
  call: Call & FormCall,
  back: string,
): Promise<PageContent | Redirection> {
  try {
    const after = await run(subject, call);
    return typeof after === 'string' || Array.isArray(after)
      ? goTo(back, after as Done)
      : (after as PageContent | Redirection);
  } catch (error) {
    const already = once?.(subject, call);
    if (!(error instanceof OperatorError) || error.code !== already?.code) throw error;
    return { ...errorPage(409, already.title, already.text), crumbs: [{ label: 'Back', href: back }] };
  }
}

/** Goes to a page that says what was done, or why nothing was. */
export function goTo(to: string, ...parts: readonly (Done | RefusedName)[]): Redirection {
  return { kind: 'redirect', to, notice: { parts } };
}
