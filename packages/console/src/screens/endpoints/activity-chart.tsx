import type { AttemptHour } from '@partner-hiring/core';
import { countText } from '../../view/parts.js';

const WIDTH = 640;
const HEIGHT = 96;
const GAP = 4;

/** The attempts of each hour, drawn on the server, with their numbers in a table. */
export function ActivityChart({ hours }: { readonly hours: readonly AttemptHour[] }) {
  const [succeeded, failed] = [sumOf(hours, 'succeeded'), sumOf(hours, 'failed')];
  const title = `Attempts in the last 24 hours: ${countText(succeeded)} succeeded, ${countText(failed)} failed`;
  const most = Math.max(1, ...hours.map((hour) => hour.succeeded + hour.failed));
  const step = WIDTH / Math.max(1, hours.length);
  const heightOf = (count: number) => (count === 0 ? 0 : Math.max(2, Math.round((count / most) * HEIGHT)));
  return (
    <figure class="chart activity">
      <figcaption>{title}</figcaption>
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        role="img"
        aria-label={`${title}. The numbers of each hour are in the table below.`}
        preserveAspectRatio="none"
      >
        {hours.map((hour, index) => {
          const [x, width] = [Math.round(index * step + GAP / 2), Math.max(1, Math.round(step - GAP))];
          const [good, bad] = [heightOf(hour.succeeded), heightOf(hour.failed)];
          return (
            <>
              <rect class="succeeded" x={x} y={HEIGHT - good} width={width} height={good} />
              <rect class="failed" x={x} y={HEIGHT - good - bad} width={width} height={bad} />
            </>
          );
        })}
      </svg>
      <details>
        <summary>Numbers of each hour</summary>
        <table>
          <caption>{title}</caption>
          <thead>
            <tr>
              <th scope="col">Hour from (UTC)</th>
              <th scope="col" class="number">
                Succeeded
              </th>
              <th scope="col" class="number">
                Failed
              </th>
            </tr>
          </thead>
          <tbody>
            {hours.map((hour) => (
              <tr>
                <th scope="row">{new Date(hour.hour).toISOString().slice(0, 16).replace('T', ' ')}</th>
                <td class="number">{countText(hour.succeeded)}</td>
                <td class="number">{countText(hour.failed)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </figure>
  );
}

function sumOf(hours: readonly AttemptHour[], name: 'succeeded' | 'failed'): number {
  return hours.reduce((sum, hour) => sum + hour[name], 0);
}
