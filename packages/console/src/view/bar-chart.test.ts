import { expect, it } from 'vitest';
import { type Bar, BarChart } from './bar-chart.js';

const SERIES = [
  { name: 'Succeeded', tone: 'good' },
  { name: 'Failed', tone: 'bad' },
] as const;

const NINE = Date.UTC(2026, 0, 5, 9);
const TEN = NINE + 3_600_000;

async function draw(bars: readonly Bar[]) {
  return String(await BarChart({ title: 'Attempts', series: SERIES, bars }));
}

it('stacks the values of each bar on the scale of the highest one', async () => {
  const text = await draw([
    { at: NINE, values: [30, 10] },
    { at: TEN, values: [0, 20] },
  ]);
  const rects = [...text.matchAll(/<rect class="(good|bad)" x="\d+" y="(\d+)" width="\d+" height="(\d+)"/g)];
  expect(rects.map(([, tone, y, height]) => [tone, Number(y), Number(height)])).toEqual([
    ['good', 30, 90],
    ['bad', 0, 30],
    ['good', 120, 0],
    ['bad', 60, 60],
  ]);
});

it('has every number in a table, and shows a small value', async () => {
  const text = await draw([
    { at: NINE, values: [100_000, 1] },
    { at: TEN, values: [0, 0] },
  ]);
  expect(text).toContain(
    '<th scope="row">2026-01-05 09:00</th><td class="number">100,000</td><td class="number">1</td>',
  );
  expect(text).toMatch(/<rect class="bad"[^>]* height="2"/);
});

it('draws nothing but the lines of the axis where nothing happened', async () => {
  const text = await draw([{ at: NINE, values: [0, 0] }]);
  expect(text.match(/height="[1-9]\d*"/g)).toEqual(Array(3).fill('height="1"'));
});

it('has axes with values: a round top, its half and zero, and the hours', async () => {
  const text = await draw([
    { at: NINE, values: [30, 3] },
    { at: TEN, values: [1, 0] },
  ]);
  expect(text).toContain('<span>40</span><span>20</span><span>0</span>');
  expect(text).toMatch(/<time class="clock" datetime="2026-01-05T09:00:00Z"[^>]*>09:00 UTC<\/time>/);
  expect(text).toContain('<span class="good">Succeeded 31</span><span class="bad">Failed 3</span>');
  expect(text).toContain('<title>2026-01-05 09:00 UTC. Succeeded: 30, Failed: 3</title>');
});
