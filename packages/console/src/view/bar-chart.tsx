/** A bar of a chart. */
export interface Bar {
  readonly label: string;
  readonly value: number;
}

const WIDTH = 640;
const HEIGHT = 120;
const GAP = 4;

/** A chart of bars, drawn on the server, with its numbers in a table. */
export function BarChart({
  title,
  unit,
  bars,
}: {
  readonly title: string;
  readonly unit: string;
  readonly bars: readonly Bar[];
}) {
  if (bars.length === 0) return null;
  const most = Math.max(1, ...bars.map(({ value }) => value));
  const step = WIDTH / bars.length;
  return (
    <figure class="chart">
      <figcaption>{title}</figcaption>
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        role="img"
        aria-label={`${title}. The numbers are in the table below.`}
        preserveAspectRatio="none"
      >
        {bars.map(({ value }, index) => {
          const height = value === 0 ? 0 : Math.max(2, Math.round((value / most) * HEIGHT));
          return (
            <rect
              x={String(Math.round(index * step + GAP / 2))}
              y={String(HEIGHT - height)}
              width={String(Math.max(1, Math.round(step - GAP)))}
              height={String(height)}
            />
          );
        })}
      </svg>
      <details>
        <summary>Numbers</summary>
        <table>
          <caption>{title}</caption>
          <thead>
            <tr>
              <th scope="col">From</th>
              <th scope="col" class="number">
                {unit}
              </th>
            </tr>
          </thead>
          <tbody>
            {bars.map(({ label, value }) => (
              <tr>
                <th scope="row">{label}</th>
                <td class="number">{value.toLocaleString('en-US')}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </figure>
  );
}
