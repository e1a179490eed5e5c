import type { Fact } from '@partner-hiring/core';
import type { Child } from 'hono/jsx';

interface SectionProps {
  readonly title: string;
  /** For links to this part. */
  readonly id?: string;
  readonly children?: Child;
}

/** A part of a page with a heading. */
export function Section({ title, id, children }: SectionProps) {
  return (
    <section class="card" id={id}>
      <h2>{title}</h2>
      {children}
    </section>
  );
}

/** Stands for a value that there is not. A phone hides its field. */
export function None() {
  return <span class="none">–</span>;
}

/** Writes an instant, such as `5 Jan 2026, 09:02 UTC`. */
export function timeText(at: number): string {
  const [, , day, month, year, time] =
    /^(\w+), (\d+) (\w+) (\d+) ([\d:]+)/.exec(new Date(at).toUTCString()) ?? [];
  return `${Number(day)} ${month} ${year}, ${time?.slice(0, -3)} UTC`;
}

/** The attributes of an instant. The script reads `datetime`. */
function utcOf(at: number) {
  const datetime = `${new Date(at).toISOString().slice(0, 19)}Z`;
  return { datetime, title: `${datetime.slice(0, 10)} ${datetime.slice(11, 19)} UTC` };
}

interface TimeProps {
  readonly at: number | null;
  /** Whether to show the instant in UTC also with scripting. */
  readonly isExact?: boolean;
}

/**
 * An instant in UTC, the zone of all pages and of the fields of their forms. With scripting, also says how long ago it was if
 * that is near, and shows the person's own time on hover. A dash for null.
 */
export function Time({ at, isExact = false }: TimeProps) {
  if (at === null) return <None />;
  return (
    <time class={isExact ? 'exact' : undefined} {...utcOf(at)}>
      {timeText(at)}
    </time>
  );
}

/** An instant within a sentence: the time in UTC, with its date if that is not near or without scripting. */
export function Moment({ at }: { readonly at: number }) {
  return (
    <time class="moment" {...utcOf(at)}>
      {timeText(at)}
    </time>
  );
}

/** A time of the day on an axis, in UTC. */
export function ClockTime({ at }: { readonly at: number }) {
  return (
    <time class="clock" {...utcOf(at)}>
      {`${new Date(at).toISOString().slice(11, 16)} UTC`}
    </time>
  );
}

/** A name of the wire, a path or an address. A narrow column breaks it between its words. */
export function Code({ text }: { readonly text: string }) {
  return (
    <code>
      {text.split(/(?<=[._]|[^/:\s]\/)/).map((part, index) => (
        <>
          {index === 0 ? null : <wbr />}
          {part}
        </>
      ))}
    </code>
  );
}

/** A name and its value. Null for one that is left out. */
export type FactRow = readonly [name: string, value: Child] | null;

/** Names and values. */
export function FactList({ facts }: { readonly facts: readonly FactRow[] }) {
  return (
    <dl class="facts">
      {facts
        .filter((fact) => fact !== null)
        .map(([name, value]) => (
          <div>
            <dt>{name}</dt>
            <dd>{isBlank(value) ? <None /> : value}</dd>
          </div>
        ))}
    </dl>
  );
}

/** Returns the facts of an object for a list. `shown` replaces the values of some fields. */
export function listFacts<Field extends string>(
  facts: readonly Fact<Field>[],
  shown: Partial<Readonly<Record<NoInfer<Field>, Child>>> = {},
): readonly FactRow[] {
  return facts.map(({ field, label, value }) => [label, shown[field] ?? factValue(value)]);
}

function factValue(value: Fact['value']): Child {
  if (typeof value === 'number') return <Time at={value} />;
  return typeof value === 'string' ? value : (value?.map((line) => <div>{line}</div>) ?? null);
}

/** Returns whether there is nothing to show. */
export function isBlank(value: Child): boolean {
  return value === null || value === undefined || value === '' || value === '–';
}

/** How urgent a state is. */
export type Tone = 'good' | 'calm' | 'warn' | 'bad';

const TONES: Readonly<Record<string, Tone>> = {
  accepted: 'good',
  delivered: 'good',
  read: 'good',
  active: 'good',
  done: 'good',
  fetched: 'good',
  open: 'good',
  received: 'calm',
  in_progress: 'calm',
  pending: 'calm',
  waiting: 'calm',
  running: 'calm',
  none: 'calm',
  paused: 'warn',
  cancelled: 'warn',
  stopped: 'warn',
  closed: 'warn',
  no_event: 'warn',
  expired: 'warn',
  dead: 'bad',
  failed: 'bad',
  held: 'warn',
  revoked: 'bad',
  no_endpoint: 'warn',
  rejected: 'calm',
};

/** A state in words, such as `in progress`. The colour only repeats it. */
export function StateBadge({ state, tone }: { readonly state: string; readonly tone?: Tone }) {
  return <span class={`badge ${tone ?? TONES[state] ?? 'calm'}`}>{state.replaceAll('_', ' ')}</span>;
}

/** A link, or its text if there is no such page for this actor. */
export function MaybeLink({ href, children }: { readonly href: string | null; readonly children?: Child }) {
  return href === null ? <span>{children}</span> : <a href={href}>{children}</a>;
}

/** A message in a page. */
export function Note({ tone = 'calm', children }: { readonly tone?: Tone; readonly children?: Child }) {
  return <p class={`note ${tone}`}>{children}</p>;
}

/** A warning that a screen reader says at once. */
export function Alert({ children }: { readonly children?: Child }) {
  return (
    <Note tone="warn">
      <span role="alert">{children}</span>
    </Note>
  );
}

const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1_000],
] as const;

/** Writes a duration with its largest unit, such as `3 hours`. A dash for null. */
export function durationText(ms: number | null): string {
  if (ms === null) return '–';
  for (const [unit, length] of UNITS) {
    const count = Math.floor(ms / length);
    if (count >= 1) return `${count} ${unit}${count === 1 ? '' : 's'}`;
  }
  return 'under a second';
}

const MOST_NAMED = 20;

/** Writes names, such as `Depot, Initech and 3 more`. */
export function someOf(names: readonly string[]): string {
  const shown = names.slice(0, MOST_NAMED).join(', ');
  const more = names.length - MOST_NAMED;
  return more > 0 ? `${shown} and ${countText(more)} more` : shown;
}

/** Writes a count, such as `10,000+` if counting stopped there. */
export function countText(count: number, isExact = true): string {
  return `${count.toLocaleString('en-US')}${isExact ? '' : '+'}`;
}
