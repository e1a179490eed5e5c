/** Next calls this once, when the server starts. */
export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME !== 'nodejs') return;
  await import('./staff').then(({ staffToken }) => staffToken());
  const { openPlatform } = await import('./platform');
  const { partnerHiring } = await openPlatform();
  await import('./seed').then(({ seed }) => seed(partnerHiring));
  partnerHiring.worker.start();
}
