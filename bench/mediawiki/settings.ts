import { LICENSE_URL } from '../site.ts'
import { MEDIAWIKI_FOLDER } from './packages.ts'

/**
 * The settings of a well-configured MediaWiki. PHP compiles code once and never checks files for changes. Objects and
 * parsed pages are in memory that PHP's workers share. Messages are compiled files. Requests of readers run no jobs.
 * (D45)
 */

/** PHP's workers, all started at once. They share one core; more workers than it can use cost time (measured). */
const WORKERS = 6

/** The note under each table with this peer. */
export const MEDIAWIKI_NOTE = `mediawiki: its JSON has its own format; the run compares title, text, license, and the timestamp of the revision to the second. nginx and php-fpm (${WORKERS} workers) run on the core of the servers, MariaDB on all cores. PHP's opcode cache does not check files, APCu holds objects, revisions and parsed pages, and messages are compiled. Each page is requested once before the measurement.`

const isRoot = process.getuid?.() === 0

export const mariadbSettings = (folder: string): string => `[mariadbd]
datadir=${folder}/data
socket=${folder}/mariadb.sock
pid-file=${folder}/mariadb.pid
${isRoot ? 'user=root\n' : ''}skip-networking
skip-name-resolve
innodb_buffer_pool_size=512M
innodb_flush_log_at_trx_commit=0
`

/** Lines to append to the file that MediaWiki's installer writes. */
export const localSettings = (folder: string): string => `
$wgMainCacheType = CACHE_ACCEL;
$wgParserCacheType = CACHE_ACCEL;
$wgMessageCacheType = CACHE_ACCEL;
$wgSessionCacheType = CACHE_ACCEL;
$wgLocalisationCacheConf['store'] = 'array';
$wgCacheDirectory = '${folder}/cache';
$wgJobRunRate = 0;
$wgCapitalLinks = false;
$wgRightsUrl = '${LICENSE_URL}';
$wgRightsText = 'License';
`

export const phpOptions: Record<string, string> = {
  'opcache.enable': '1',
  'opcache.memory_consumption': '256',
  'opcache.interned_strings_buffer': '32',
  'opcache.max_accelerated_files': '20000',
  'opcache.validate_timestamps': '0',
  'apc.enabled': '1',
  'apc.shm_size': '256M',
  realpath_cache_size: '4M',
  realpath_cache_ttl: '3600',
  memory_limit: '256M',
}

export const fpmSettings = (folder: string): string => `[global]
error_log = ${folder}/php-fpm.log
daemonize = no
[wiki]
${isRoot ? 'user = root\ngroup = root\n' : ''}listen = ${folder}/php.sock
pm = static
pm.max_children = ${WORKERS}
env[MW_CONFIG_FILE] = ${folder}/LocalSettings.php
`

/** php-fpm runs as root only with `--allow-to-run-as-root`. */
export const fpmArguments: string[] = [
  ...(isRoot ? ['--allow-to-run-as-root'] : []),
  ...Object.entries(phpOptions).flatMap(([name, value]) => ['-d', `${name}=${value}`]),
]

export const nginxSettings = (
  folder: string,
  port: number,
): string => `${isRoot ? 'user root;\n' : ''}daemon off;
worker_processes 1;
pid ${folder}/nginx.pid;
error_log ${folder}/nginx.log;
events { worker_connections 1024; }
http {
  access_log off;
  keepalive_requests 1000000;
  client_body_temp_path ${folder}/nginx-body;
  fastcgi_temp_path ${folder}/nginx-fastcgi;
  proxy_temp_path ${folder}/nginx-proxy;
  scgi_temp_path ${folder}/nginx-scgi;
  uwsgi_temp_path ${folder}/nginx-uwsgi;
  upstream php { server unix:${folder}/php.sock; keepalive ${WORKERS}; }
  server {
    listen 127.0.0.1:${port};
    location / { return 204; }
    location /rest.php/ {
      include /etc/nginx/fastcgi_params;
      fastcgi_param SCRIPT_FILENAME ${MEDIAWIKI_FOLDER}/rest.php;
      fastcgi_param SCRIPT_NAME /rest.php;
      fastcgi_keep_conn on;
      fastcgi_buffers 32 16k;
      fastcgi_pass php;
    }
  }
}
`
