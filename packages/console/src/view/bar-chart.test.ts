import { expect, it } from 'vitest';
import { BarChart } from './bar-chart.js';

const SERIES = [
  { name: 'Succeeded', tone: 'good' },
  { name: 'Failed', tone: 'bad' },
] as const;

async function draw(bars: readonly { readonly label: string; readonly values: readonly number[] }[]) {
  return String(await BarChart({ title: 'Attempts', rowHeader: 'Hour', series: SERIES, bars }));
}

it('stacks the values of each bar on the scale of the highest one', async () => {
  const text = await draw([
    { label: '09:00', values: [30, 10] },
    { label: '10:00', values: [0, 20] },
  ]);
  const rects = [...text.matchAll(/<rect class="(good|bad)" x="\d+" y="(\d+)" width="\d+" height="(\d+)"/g)];
  expect(rects.map(([, tone, y, height]) => [tone, Number(y), Number(height)])).toEqual([
    ['good', 30, 90],
    ['bad', 0, 30],
    ['good', 120, 0],
    ['bad', 60, 60],
  ]);
  expect(text).toContain('The highest bar is 40.');
});

it('has every number in a table, and shows a small value', async () => {
  const text = await draw([
    { label: '09:00', values: [100_000, 1] },
    { label: '10:00', values: [0, 0] },
  ]);
  expect(text).toContain(
    '<th scope="row">09:00</th><td class="number">100,000</td><td class="number">1</td>',
  );
  expect(text).toMatch(/<rect class="bad"[^>]* height="2"/);
});

it('draws nothing but the base line where nothing happened', async () => {
  const text = await draw([{ label: '09:00', values: [0, 0] }]);
  expect(text.match(/height="[1-9]\d*"/g)).toEqual(['height="1"']);
});
