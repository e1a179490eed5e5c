import type { Tone } from './parts.js';

/** What the bars of one colour show. */
export interface ChartSeries {
  readonly name: string;
  readonly tone: Tone;
}

/** A bar. Its values are in the order of the series, and are stacked. */
export interface Bar {
  readonly label: string;
  readonly values: readonly number[];
}

const WIDTH = 720;
const HEIGHT = 120;
const GAP = 4;
const THINNEST = 2;

/** A chart of stacked bars, drawn on the server, with its numbers in a table. */
export function BarChart({
  title,
  rowHeader,
  series,
  bars,
}: {
  readonly title: string;
  readonly rowHeader: string;
  readonly series: readonly ChartSeries[];
  readonly bars: readonly Bar[];
}) {
  const totals = bars.map(({ values }) => sum(values));
  const most = Math.max(1, ...totals);
  return (
    <figure class="chart">
      <figcaption>
        {`${title}. The highest bar is ${most.toLocaleString('en-US')}.`}
        <Legend series={series} />
      </figcaption>
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`${title}. The numbers are in the table below.`}
      >
        {bars.map(({ values }, index) => (
          <Stack values={values} series={series} most={most} x={index} of={bars.length} />
        ))}
        <rect class="base" x="0" y={String(HEIGHT - 1)} width={String(WIDTH)} height="1" />
      </svg>
      <details>
        <summary>Numbers</summary>
        <table>
          <caption>{title}</caption>
          <thead>
            <tr>
              <th scope="col">{rowHeader}</th>
              {series.map(({ name }) => (
                <th scope="col" class="number">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {bars.map(({ label, values }) => (
              <tr>
                <th scope="row">{label}</th>
                {values.map((value) => (
                  <td class="number">{value.toLocaleString('en-US')}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </figure>
  );
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

function Legend({ series }: { readonly series: readonly ChartSeries[] }) {
  return (
    <span class="legend">
      {series.map(({ name, tone }) => (
        <span class={tone}>{name}</span>
      ))}
    </span>
  );
}

interface StackProps {
  readonly values: readonly number[];
  readonly series: readonly ChartSeries[];
  readonly most: number;
  readonly x: number;
  readonly of: number;
}

/** One bar. A value above zero is always visible. */
function Stack({ values, series, most, x, of }: StackProps) {
  const step = WIDTH / of;
  let top = HEIGHT;
  return values.map((value, index) => {
    const height = value === 0 ? 0 : Math.max(THINNEST, Math.round((value / most) * HEIGHT));
    top = Math.max(0, top - height);
    return (
      <rect
        class={series[index]?.tone}
        x={String(Math.round(x * step + GAP / 2))}
        y={String(top)}
        width={String(Math.max(1, Math.round(step - GAP)))}
        height={String(height)}
      />
    );
  });
}
