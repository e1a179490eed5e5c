/**
 * Answers each question of the test, in a program that `startChild` started. The program ends when the test does, and
 * when a question fails.
 */
export function answerParent<Question>(
  ready: object,
  answer: (question: Question) => Promise<object> | object,
): void {
  process.on('disconnect', () => process.exit());
  process.on('message', async (question: Question) => {
    const answered = await answer(question);
    process.send?.(answered);
  });
  process.send?.(ready);
}
