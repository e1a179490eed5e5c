import { openPlatform } from '../../../../../platform';

export const runtime = 'nodejs';
export const dynamic = 'force-dynamic';

async function serve(request: Request): Promise<Response> {
  const { partnerHiring } = await openPlatform();
  return partnerHiring.fetch(request);
}

export { serve as DELETE, serve as GET, serve as HEAD, serve as PATCH, serve as POST, serve as PUT };
