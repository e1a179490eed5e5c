import type { Gate } from '../../gate/gate.js';
import { countText } from '../../view/parts.js';

/** Bounds what one page reads. */
const MOST_PAGES = 5;
const PER_PAGE = 1_000;

/** Says how many jobs each company would lose, most first: `2 companies would lose jobs: Depot 9, Initech 2`. */
export async function heldByCompany(gate: Gate): Promise<string> {
  const companies = new Map<string, { readonly name: string; jobs: number }>();
  let cursor: string | null | undefined;
  for (let page = 0; page < MOST_PAGES && cursor !== null; page += 1) {
    const { items, nextCursor } = await gate.call('jobs.listHeld', { limit: PER_PAGE, cursor });
    for (const { companyId, companyName: name } of items) {
      const company = companies.get(companyId) ?? { name, jobs: 0 };
      companies.set(companyId, company);
      company.jobs += 1;
    }
    cursor = nextCursor;
  }
  const sums = [...companies.values()].toSorted((one, other) => other.jobs - one.jobs);
  const count = `${countText(sums.length, cursor === null)} ${sums.length === 1 ? 'company' : 'companies'}`;
  const rest = cursor === null ? '' : ', and more';
  return `${count} would lose jobs: ${sums.map(({ name, jobs }) => `${name} ${countText(jobs)}`).join(', ')}${rest}`;
}
