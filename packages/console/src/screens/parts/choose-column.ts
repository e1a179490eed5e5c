import type { Column } from '../../view/data-table.js';
import type { RowChooser } from '../sections.js';

/** Returns the column with the boxes of a list. Empty if its rows cannot be chosen. */
export function chooseColumn<Row>(
  chooser: RowChooser | undefined,
  nameOf: (row: Row) => readonly [id: string, label: string],
): readonly Column<Row>[] {
  if (chooser === undefined) return [];
  return [{ header: 'Choose', cell: (row) => chooser.box(...nameOf(row)), isScreenOnly: true }];
}
