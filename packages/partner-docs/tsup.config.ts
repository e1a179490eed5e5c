import { library } from '../../tsup.config.js';
import * as texts from './src/pages/page-texts.js';

/** Puts the pages and files for partners into the build, because the package has no `docs` folder. */
const embedPages = {
  name: 'embed-pages',
  setup: (build: {
    onLoad(options: { filter: RegExp }, load: () => { contents: string; loader: 'js' }): void;
  }) =>
    build.onLoad({ filter: /[\\/]pages[\\/]page-texts\.ts$/ }, () => ({
      contents: Object.entries(texts)
        .map(([name, value]) => `export const ${name} = ${JSON.stringify(value)};`)
        .join('\n'),
      loader: 'js',
    })),
};

export default library({
  entry: { index: 'src/index.ts' },
  esbuildPlugins: [embedPages],
  noExternal: ['marked'],
});
