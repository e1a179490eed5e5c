import { countText, MaybeLink, type Tone } from './parts.js';

/** A figure with its name. `live` names the value that the script refreshes. */
export interface ShownFigure {
  readonly label: string;
  readonly value: string;
  readonly live?: string;
  readonly href?: string | null;
  readonly tone?: Tone;
}

/** Returns a figure of a count, such as `10,000+` if counting stopped there. Zero is always calm. */
export function countFigure(
  label: string,
  count: number,
  isExact: boolean,
  href: string | null,
  tone: Tone = 'calm',
): ShownFigure {
  return { label, value: countText(count, isExact), href, tone: count > 0 ? tone : 'calm' };
}

/** Figures. Those that are zero share one line. */
export function Figures({ figures }: { readonly figures: readonly ShownFigure[] }) {
  const isZero = ({ value, tone = 'calm' }: ShownFigure) =>
    tone === 'calm' && (value === '0' || value === '–');
  const zeros = figures.filter(isZero);
  const others = figures.filter((figure) => !isZero(figure));
  return (
    <>
      {others.length === 0 ? null : (
        <ul class="figures">
          {others.map(({ label, value, live, href = null, tone = 'calm' }) => (
            <li class={`figure ${tone}`}>
              <span class="value" data-live={live}>
                {value}
              </span>
              <MaybeLink href={href}>{label}</MaybeLink>
            </li>
          ))}
        </ul>
      )}
      {zeros.length === 0 ? null : (
        <ul class="zeros">
          {zeros.map(({ label, value, live, href = null }) => (
            <li>
              <MaybeLink href={href}>{label}</MaybeLink> <span data-live={live}>{value}</span>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
