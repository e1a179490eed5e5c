/** Whether values of each type fit the other. */
type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false;

/** Does nothing at run time; does not compile unless each type fits the other. */
export function same<A, B>(_isSame: Same<A, B>): void {}
