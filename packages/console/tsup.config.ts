import { library } from '../../tsup.config.js';
import { ASSET_TEXTS } from './src/assets/asset-texts.js';

/** Puts the style sheet and the script into the build, because the package has no other files. */
const embedAssets = {
  name: 'embed-assets',
  setup: (build: {
    onLoad(options: { filter: RegExp }, load: () => { contents: string; loader: 'js' }): void;
  }) =>
    build.onLoad({ filter: /[\\/]assets[\\/]asset-texts\.ts$/ }, () => ({
      contents: `export const ASSET_TEXTS = ${JSON.stringify(ASSET_TEXTS)};`,
      loader: 'js',
    })),
};

export default library({
  entry: { index: 'src/index.ts', portal: 'src/portal/index.ts' },
  noExternal: ['@partner-hiring/node-http', 'hono', '@picocss/pico'],
  esbuildPlugins: [embedAssets],
});
