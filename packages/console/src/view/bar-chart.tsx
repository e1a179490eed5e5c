import { ClockTime, countText, type Tone } from './parts.js';

/** What the bars of one colour show. */
export interface ChartSeries {
  readonly name: string;
  readonly tone: Tone;
}

/** A bar for an hour. Its values are in the order of the series, and are stacked. */
export interface Bar {
  /** The start of the hour. */
  readonly at: number;
  readonly values: readonly number[];
}

const WIDTH = 720;
const HEIGHT = 120;
const GAP = 4;
const THINNEST = 2;

interface BarChartProps {
  readonly title: string;
  readonly series: readonly ChartSeries[];
  readonly bars: readonly Bar[];
}

/** A chart of stacked bars, one for each hour, drawn on the server with its axes, and with its numbers in a table. */
export function BarChart({ title, series, bars }: BarChartProps) {
  const most = topOf(Math.max(1, ...bars.map(({ values }) => sum(values))));
  return (
    <figure class="chart">
      <figcaption>
        {title}
        <Legend series={series} bars={bars} />
      </figcaption>
      <div class="plot">
        <div class="scale" aria-hidden="true">
          <span>{countText(most)}</span>
          {most % 2 === 0 ? <span>{countText(most / 2)}</span> : null}
          <span>0</span>
        </div>
        <svg
          viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
          preserveAspectRatio="none"
          role="img"
          aria-label={`${title}. The numbers are in the table below.`}
        >
          {[0, HEIGHT / 2, HEIGHT - 1].map((y) => (
            <rect class="base" x="0" y={String(y)} width={String(WIDTH)} height="1" />
          ))}
          {bars.map(({ at, values }, index) => (
            <g>
              <title>{barText(at, series, values)}</title>
              <Stack values={values} series={series} most={most} x={index} of={bars.length} />
            </g>
          ))}
        </svg>
        <div class="axis" aria-hidden="true">
          {[bars.at(0), bars.at(Math.floor(bars.length / 2)), bars.at(-1)].map((bar) =>
            bar === undefined ? null : <ClockTime at={bar.at} />,
          )}
        </div>
      </div>
      <details>
        <summary>Numbers</summary>
        <table>
          <caption>{title}</caption>
          <thead>
            <tr>
              <th scope="col">Hour (UTC)</th>
              {series.map(({ name }) => (
                <th scope="col" class="number">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {bars.map(({ at, values }) => (
              <tr>
                <th scope="row">{hourText(at)}</th>
                {values.map((value) => (
                  <td class="number">{countText(value)}</td>
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

/** The lowest of 1, 2, 4, 10, 20, 40, 100 … that is not below `most`, so that the middle of the axis is a whole number. */
function topOf(most: number): number {
  const power = 10 ** Math.floor(Math.log10(most));
  return [1, 2, 4, 10].map((factor) => factor * power).find((top) => top >= most) ?? most;
}

function hourText(at: number): string {
  return new Date(at).toISOString().slice(0, 16).replace('T', ' ');
}

function barText(at: number, series: readonly ChartSeries[], values: readonly number[]): string {
  const parts = series.map(({ name }, index) => `${name}: ${countText(values[index] ?? 0)}`);
  return `${hourText(at)} UTC. ${parts.join(', ')}`;
}

/** The colours, with the sum of each. */
function Legend({ series, bars }: Omit<BarChartProps, 'title'>) {
  return (
    <span class="legend">
      {series.map(({ name, tone }, index) => (
        <span class={tone}>{`${name} ${countText(sum(bars.map(({ values }) => values[index] ?? 0)))}`}</span>
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
