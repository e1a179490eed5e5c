/** Answers the test's questions in a child process, which ends with the test or after an error. */
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
