package org.exsockets.install;

/** Found by {@code ServiceLoader} inside the isolated class loader. */
public final class ServiceDouble implements Runnable {
    @Override
    public void run() {
        String resource = getClass().getResource("ServiceDouble.class").getPath();
        System.out.println("service in " + getClass().getClassLoader().getName() + ", package "
                + getClass().getPackage().getName() + ", resource "
                + resource.substring(resource.indexOf('!')));
    }
}
