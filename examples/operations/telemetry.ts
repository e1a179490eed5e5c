/** Serves metrics to Prometheus at http://127.0.0.1:9464/metrics: `node --import ./telemetry.js api.js`. */
import { metrics } from '@opentelemetry/api';
import { PrometheusExporter } from '@opentelemetry/exporter-prometheus';
import { MeterProvider } from '@opentelemetry/sdk-metrics';
import { observeEventLoop } from './event-loop.js';

const { METRICS_HOST: host = '127.0.0.1', METRICS_PORT: port = '9464' } = process.env;
const exporter = new PrometheusExporter({ host, port: Number(port) });
metrics.setGlobalMeterProvider(new MeterProvider({ readers: [exporter] }));
observeEventLoop();
